"""Addresses of the portal. allauth finds its pages by the names it knows, at our addresses."""

from __future__ import annotations

from allauth.account import views as account
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, URLResolver, include, path, re_path

from portal.views import (
    accounts,
    health,
    jobs,
    manage,
    manage_models,
    models,
    people,
    setup,
    styleguide,
    usage,
)

own: list[URLPattern | URLResolver] = [
    path("setup/", setup.setup, name="setup"),
    path("welcome/", setup.welcome, name="welcome"),
    path("invite/<str:token>/", people.invitation, name="invitation"),
    path("language/", people.language, name="language"),
    path("settings/look/", people.look, name="look"),
    path("settings/account/", people.account, name="account"),
    path("settings/models/", models.models, name="models"),
    path("settings/models/use/", models.use, name="use_models"),
    path("settings/models/new/", models.new, name="new_model"),
    path("settings/models/<slug:endpoint_id>/", models.edit, name="model"),
    path("settings/models/<slug:endpoint_id>/test/", models.test, name="test_model"),
    path("settings/models/<slug:endpoint_id>/delete/", models.delete, name="delete_model"),
    path("settings/usage/", usage.usage, name="usage"),
    path("settings/usage/table/", usage.table, name="usage_table"),
    path("manage/usage/", usage.everybody, name="manage_usage"),
    path("manage/models/", manage_models.rules, name="manage_models"),
    path("manage/models/<slug:endpoint_id>/close/", manage_models.close, name="close_model"),
    path("manage/people/", manage.people, name="people"),
    path("manage/people/<slug:handle>/disable/", manage.set_active, {"active": False}, name="disable"),
    path("manage/people/<slug:handle>/enable/", manage.set_active, {"active": True}, name="enable"),
    path("manage/people/<slug:handle>/password/", manage.new_password, name="new_password"),
    path("manage/invitations/<int:pk>/revoke/", manage.revoke, name="revoke"),
    path("manage/site/", manage.site, name="site"),
    path("help/", people.help_page, name="help"),
    path("jobs/", jobs.job_list, name="jobs"),
    path("jobs/pill/", jobs.job_pill, name="job_pill"),
    path("jobs/<slug:job_id>/", jobs.job_page, name="job"),
    path("jobs/<slug:job_id>/stop/", jobs.stop_job, name="stop_job"),
    path("jobs/<slug:job_id>/retry/", jobs.retry_job, name="retry_job"),
    path("healthz", health.healthz, name="healthz"),
    path("styleguide/", styleguide.styleguide, name="styleguide"),
]
# The names below are allauth's own: it looks them up.
sign_in: list[URLPattern | URLResolver] = [
    path("signin/", account.login, name="account_login"),
    path("signup/", account.signup, name="account_signup"),
    path("signout/", account.logout, name="account_logout"),
    path("signin/inactive/", account.account_inactive, name="account_inactive"),
    path("signin/again/", account.reauthenticate, name="account_reauthenticate"),
    path("password/change/", account.password_change, name="account_change_password"),
    path("password/set/", account.password_set, name="account_set_password"),
    path("password/reset/", accounts.password_reset, name="account_reset_password"),
    path("password/reset/sent/", account.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        login_not_required(account.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("settings/second-factor/", include("allauth.mfa.urls")),
    path("settings/sessions/", include("allauth.usersessions.urls")),
]
urlpatterns: list[URLPattern | URLResolver] = [path("", include((own, "portal"))), *sign_in]
