"""Does a gRPC client get every byte of a long stream, once and in order?"""
