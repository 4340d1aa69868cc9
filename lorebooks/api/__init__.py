"""The lorebook library over HTTP for programs: JSON under `/roleplay-api/lorebooks`.

Signed in by the session, with CSRF. Keys are camelCase (D40), refusals are `{"error": {"code", "message",
"where"}}` (made by the portal's middleware).
"""
