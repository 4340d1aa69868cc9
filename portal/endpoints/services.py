"""The services that the form offers by name: each fills kind and address."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from llm.endpoint import DEFAULT_ADDRESSES, Kind


@dataclass(frozen=True, slots=True)
class Service:
    """A service by its name, the protocol it speaks, and the address at which it does."""

    code: str
    label: str
    kind: Kind
    address: str


COMPATIBLE = Service("compatible", "OpenAI", "openai", DEFAULT_ADDRESSES["openai"])
SERVICES = (
    COMPATIBLE,
    Service("anthropic", "Anthropic", "anthropic", DEFAULT_ADDRESSES["anthropic"]),
    Service("gemini", "Gemini", "google", DEFAULT_ADDRESSES["google"]),
    Service("deepseek", "DeepSeek", "openai", "https://api.deepseek.com/v1"),
    Service("openrouter", "OpenRouter", "openai", "https://openrouter.ai/api/v1"),
    Service("ollama", "Ollama", "openai", "http://127.0.0.1:11434/v1"),
    Service("llamacpp", "llama.cpp", "openai", "http://127.0.0.1:8080/v1"),
)
BY_CODE = {service.code: service for service in SERVICES}


def service_of(kind: str, base_url: str) -> Service:
    """The service that an endpoint is at: by kind and where it is, else the compatible one of its kind."""
    mine = [service for service in SERVICES if service.kind == kind]
    where = _where(base_url)
    return next((service for service in mine if _where(service.address) == where), mine[0])


def fitting_address(service: Service, address: str) -> str:
    """The address to use: what was written, unless it is nothing, or that of a service that speaks another
    protocol, left there when the choice was changed."""
    known = next((one for one in SERVICES if one.address == address.strip().rstrip("/")), None)
    if not address.strip() or (known is not None and known.kind != service.kind):
        return service.address
    return address


def _where(address: str) -> str:
    try:
        return urlsplit(address).netloc
    except ValueError:
        return ""
