"""Addresses of the worlds app. A world's id is its folder's name, its address and its API id (D4)."""

from django.urls import URLPattern, path

from worlds.views import chat, elements, files, history, home, images, overview, trash, whole

W = "w/<str:world_id>/"
E = f"{W}elements/<str:slug>/"

app_name = "worlds"
urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("new/", home.new_world, name="new"),
    path("trash/", trash.trash, name="trash"),
    path("trash/empty/", trash.empty, name="empty_trash"),
    path("trash/<str:entry_id>/restore/", trash.restore, name="restore_world"),
    path(W, overview.show, name="overview"),
    path(f"{W}row/", home.row, name="row"),
    path(f"{W}chat/<str:conversation_id>/", chat.show, name="chat"),
    path(f"{W}edit/<slug:section>/", overview.edit, name="edit"),
    path(f"{W}openings/<int:number>/<slug:act>/", overview.opening, name="opening"),
    path(f"{W}rename/", whole.rename, name="rename"),
    path(f"{W}duplicate/", whole.duplicate, name="duplicate"),
    path(f"{W}export/", whole.export, name="export"),
    path(f"{W}export/zip/", whole.export_zip, name="export_zip"),
    path(f"{W}trash/", whole.trash, name="trash_world"),
    path(f"{W}elements/", elements.elements, name="elements"),
    path(E, elements.kind_list, name="kind"),
    path(f"{W}new/<str:slug>/", elements.new_element, name="new_element"),
    path(f"{E}<str:key>/", elements.element, name="element"),
    path(f"{E}<str:key>/source/", elements.source, name="source"),
    path(f"{E}<str:key>/mentions/", elements.mentions, name="mentions"),
    path(f"{E}<str:key>/delete/", elements.delete_element, name="delete_element"),
    path(f"{W}images/", images.images, name="images"),
    path(f"{W}images/upload/", images.upload, name="upload_picture"),
    path(f"{W}images/describe/", images.describe, name="describe_picture"),
    path(f"{W}images/replace/", images.replace, name="replace_picture"),
    path(f"{W}images/remove/", images.remove, name="remove_picture"),
    path(f"{W}images/use/", images.use, name="use_picture"),
    path(f"{W}images/file/<path:path>", images.picture, name="picture"),
    path(f"{W}images/small/<int:size>/<path:path>", images.small, name="small"),
    path(f"{W}files/", files.files, name="files"),
    path(f"{W}files/<path:path>", files.file, name="file"),
    path(f"{W}source/<path:path>", files.source_file, name="source_file"),
    path(f"{W}history/", history.history, name="history"),
    path(f"{W}history/compare/<path:path>", history.compare, name="compare"),
    path(f"{W}history/<str:change_id>/", history.change, name="change"),
    path(f"{W}history/<str:change_id>/restore/", history.restore, name="restore"),
    path(f"{W}history/<str:change_id>/undo/", history.undo, name="undo"),
]
