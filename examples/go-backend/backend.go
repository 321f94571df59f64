// Package backend lets an orchestrator that drives agents in tmux panes drive them through coop instead.
// One Backend is one coop; the standard library is all it needs.
package backend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Backend speaks to the coop at BaseURL, http://127.0.0.1:8080 say.
type Backend struct {
	BaseURL string
	Token   string
	Client  *http.Client
}

// AgentState is what the agent is doing. Fields that are not here are passed over.
type AgentState struct {
	Agent       string  `json:"agent"`
	State       string  `json:"state"`
	Detail      *string `json:"detail"`
	Prompt      *Prompt `json:"prompt"`
	Epoch       string  `json:"epoch"`
	EventSeq    uint64  `json:"event_seq"`
	LastMessage *string `json:"last_message"`
}

// Prompt is what the agent asks.
type Prompt struct {
	Type     string         `json:"type"`
	ID       string         `json:"id"`
	Tool     string         `json:"tool"`
	Input    map[string]any `json:"input"`
	Question string         `json:"question"`
	Options  []string       `json:"options"`
}

// NudgeRequest is a message to the agent.
type NudgeRequest struct {
	Message string `json:"message"`
}

// RespondRequest answers what the agent asks.
type RespondRequest struct {
	Accept *bool `json:"accept"`
}

// Error is a refusal; programs decide by its Code: AGENT_BUSY, NO_PROMPT, UNAUTHORIZED…
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

type errorReply struct {
	Error *Error `json:"error"`
}

// HasSession says whether the agent is there and has not exited. The name is the caller's own.
// A coop that cannot be reached has no session; a refusal is an error.
func (b *Backend) HasSession(session string) (bool, error) {
	state, err := b.AgentState()
	var refused *Error
	if errors.As(err, &refused) {
		return false, err
	}
	return err == nil && state.State != "exited", nil
}

// CapturePane gives the last lines of the screen, without the empty ones below.
func (b *Backend) CapturePane(session string, lines int) (string, error) {
	text, err := b.do(http.MethodGet, "/api/v1/screen/text", nil)
	if err != nil {
		return "", err
	}
	rows := strings.Split(strings.TrimRight(string(text), " \n"), "\n")
	if len(rows) > lines {
		rows = rows[len(rows)-lines:]
	}
	return strings.Join(rows, "\n"), nil
}

// NudgeSession tells an idle agent something, and returns when it has shown that it took it.
func (b *Backend) NudgeSession(session string, message string) error {
	_, err := b.do(http.MethodPost, "/api/v1/agent/nudge", NudgeRequest{Message: message})
	return err
}

// RespondToPrompt accepts or denies what the agent asks.
func (b *Backend) RespondToPrompt(accept bool) error {
	_, err := b.do(http.MethodPost, "/api/v1/agent/respond", RespondRequest{Accept: &accept})
	return err
}

// AgentState says what the agent is doing, and what it asks.
func (b *Backend) AgentState() (*AgentState, error) {
	body, err := b.do(http.MethodGet, "/api/v1/agent/state", nil)
	if err != nil {
		return nil, err
	}
	state := new(AgentState)
	return state, json.Unmarshal(body, state)
}

func (b *Backend) do(method, path string, body any) ([]byte, error) {
	var content io.Reader
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequest(method, b.BaseURL+path, content)
	if err != nil {
		return nil, err
	}
	if b.Token != "" {
		request.Header.Set("Authorization", "Bearer "+b.Token)
	}
	response, err := b.client().Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	reply, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 400 {
		return nil, refusal(response.StatusCode, reply)
	}
	return reply, nil
}

func refusal(status int, reply []byte) error {
	var told errorReply
	if json.Unmarshal(reply, &told) == nil && told.Error != nil {
		return told.Error
	}
	return fmt.Errorf("not an answer of coop: %d %s", status, http.StatusText(status))
}

// A nudge waits for proof, three seconds at most, so a request may take a while.
func (b *Backend) client() *http.Client {
	if b.Client != nil {
		return b.Client
	}
	return &http.Client{Timeout: 15 * time.Second}
}
