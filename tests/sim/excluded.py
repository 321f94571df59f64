"""What of tests/live is not run against the simulator, and why."""

EXCLUDED = {
    "claude/test_documentation.py": "runs the page's example, which is about the real one; the rest of it is in the other rows",
    "claude/test_campaigns.py": "samples the campaigns of bench/claude, which measure the real one",
    "claude/test_configured.py": "the simulator has one set of keys",
    "claude/test_states.py::test_going_back_in_the_conversation_is_a_question": "the simulator does not go back",
    "claude/test_nudges.py::test_what_a_command_takes_is_no_draft": "the simulator does not say what its commands take",
    "claude/test_states.py::test_an_editor_over_an_idle_agent_is_no_idleness": "the simulator opens no editor",
    "claude/test_answers.py::test_what_a_person_wrote_into_a_plan_is_told_and_approved": "the simulator opens no editor",
    "claude/test_answers.py::test_an_option_of_a_question_that_is_only_partly_in_sight_is_chosen_by_keys": "the simulator scrolls no lists",
    "claude/test_answers.py::test_a_permission_that_is_only_partly_in_sight_is_answered_by_keys": "the simulator scrolls no lists",
    "claude/test_states.py::test_a_session_of_another_folder_is_resumed_or_it_is_said_where_it_can_be": "the simulator knows the sessions of its own folder only",
    "claude/test_startup.py::test_whoever_must_sign_in_is_told_where": "the simulator has nobody to sign in with",
    "claude/test_startup.py::test_a_question_that_nobody_has_told_us_of_is_told_while_it_starts": "the simulator lists no sessions to choose from",
    "codex/test_campaigns.py": "samples the campaigns of bench/codex, which measure the real one",
    "gemini/test_campaigns.py": "samples the campaigns of bench/gemini, which measure the real one",
    "claude/test_startup.py::test_the_choice_of_a_theme_is_told": "the simulator begins behind the onboarding",
}
"""A module of tests/live, or one of its tests as `agent/module::test`."""
