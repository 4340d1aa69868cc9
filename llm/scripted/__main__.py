"""`python -m llm.scripted SCRIPT.json [PORT]` serves a script until stopped; its first line is the
address."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from llm.scripted.script import Script
from llm.scripted.server import ScriptedModel


async def serve(script: Script, port: int) -> None:
    async with ScriptedModel(script, port=port) as model:
        sys.stdout.write(f"{model.address}\n")
        sys.stdout.flush()
        await model.forever()


def main(words: list[str]) -> None:
    script = Script.from_json(json.loads(Path(words[0]).read_text("utf-8")))
    try:
        asyncio.run(serve(script, int(words[1]) if len(words) > 1 else 0))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main(sys.argv[1:])
