"""Every form of the portal is drawn by one template: label, hint, field, error, tied together."""

from django.forms.renderers import TemplatesSetting


class ShellRenderer(TemplatesSetting):
    """`{{ form }}` and `{{ field.as_field_group }}` use the shell's own parts."""

    form_template_name = "parts/form.html"
    field_template_name = "parts/field.html"
