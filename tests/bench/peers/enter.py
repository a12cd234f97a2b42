"""Sends request bodies, four at a time, as a careful script with httpx would: enter.py ADDRESS BODIES TOKEN"""

import asyncio
import pathlib
import sys

import httpx


async def main(address, bodies, token):
    headers = {"Content-Type": "application/json", "Accept": "application/json", "X-Service-Auth-Token": token}
    waiting = iter(pathlib.Path(bodies).read_text(encoding="utf-8").splitlines())

    async def sender(client):
        for body in waiting:
            answer = await client.post("/v1/contracts/bulk", content=body.encode())
            answer.raise_for_status()
            answer.json()

    async with httpx.AsyncClient(base_url=address, headers=headers, trust_env=False) as client:
        await asyncio.gather(*(sender(client) for _ in range(4)))


asyncio.run(main(*sys.argv[1:]))
