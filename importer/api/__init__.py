"""The importer over HTTP for programs: JSON under `/roleplay-api/worlds/import` (the seed's addresses).

Signed in by the session, with CSRF; device tokens are not built yet. Keys are camelCase (D40), refusals are
`{"error": {"code", "message", "where"}}` (made by the portal's middleware). An import is named by its upload
until it starts, by its world from then on.
"""
