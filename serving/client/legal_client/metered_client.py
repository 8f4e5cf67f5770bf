"""The client of a command: it adds up what the command's calls cost."""

from typing import Any

from legal_client.calls import Call
from legal_client.client import Client
from legal_client.exchange import Answer
from legal_client.printing import counted


class MeteredClient(Client):
    """A client that knows what its calls cost in all.

    Attributes:
        charged: credits that were charged.
        left: credits that are left; None until an answer tells.
    """

    charged = 0
    left: int | None = None

    def fetch(self, call: Call[Any]) -> Answer:
        """Make a call, and note its cost."""
        answer = super().fetch(call)
        self.charged += answer.meta.credits_cost or 0
        if answer.meta.credits_remaining is not None:
            self.left = answer.meta.credits_remaining
        return answer

    @property
    def cost(self) -> str:
        """The line that says what all calls cost; empty where none has a price."""
        if self.left is None:
            return ""
        return f"Cost {counted(self.charged, 'credit')}; {self.left:,} left."
