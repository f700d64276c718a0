"""The embedded example: a shoe shop's orders agent, as small as one can be and still be changed for the worse.

    python agent.py --prompt v1

It answers one JSON line for each JSON line `{case_id, input}` on standard input. Rules stand where a model would be:
they read what the customer wrote, decide which tool to call, and word the reply as the prompt file asks. Nothing here
needs more than Python's standard library, and nothing knows which cases it will be asked.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import re
import sys
import unicodedata
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MONTHS = (
    "enero", "febrero", "marzo", "abril", "mayo", "junio",
    "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre",
)  # fmt: skip
ORDER_NUMBER = re.compile(r"(?<![\w.,-])(?:\d{5}|\d{2}\.\d{3})(?![\w-]|[.,]\d)")
MISTYPED_NUMBER = re.compile(r"(?<!\w)(?=\w{5}(?!\w))(\d{3,4})[a-z]+\d*(?!\w)")
SLANG = re.compile(r"\b(po|pololo|polola|cachai|caleta|pesquen|altiro|al tiro|bacan)\b")
ABSENT = "no encuentro ese pedido. ¿Puede verificar el número?"


class Shop:
    """The tool layer: what the shop's own systems answer."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.orders: dict[str, dict[str, Any]] = data["orders"]
        self.products: list[dict[str, Any]] = data["products"]
        self.today = dt.date.fromisoformat(data["today"])

    def call(self, name: str, args: dict[str, Any]) -> dict[str, Any]:
        """What the tool gives back; `{"error": …}` where it cannot."""
        tools: dict[str, Callable[..., dict[str, Any]]] = {
            "consultarPedido": self._order,
            "agendarRetiro": self._pickup,
            "buscarProducto": self._products,
            "consultarStock": self._stock,
            "derivarAHumano": lambda **_: {"ticket": "creado"},
        }
        return tools[name](**args)

    def _order(self, numero: str | int) -> dict[str, Any]:
        return self.orders.get(str(numero), {"error": "no existe"})

    def _pickup(self, numero: str | int, fecha: str) -> dict[str, Any]:
        # The pickup service is lenient: it pads what it is given, so that a number for a text goes unnoticed here.
        order = self.orders.get(str(numero).zfill(5))
        if order is None:
            return {"error": "no existe"}
        if "tienda" not in order:
            return {"error": "no está listo para retiro"}
        if dt.date.fromisoformat(fecha) < self.today:
            return {"error": "fecha anterior a hoy"}
        return {"tienda": order["tienda"], "fecha": fecha}

    def _products(self, consulta: str, talla: str | None = None) -> dict[str, Any]:
        words = [word for word in simple(consulta).split() if len(word) > 3]
        hits = [p for p in self.products if any(word[:5] in simple(p["nombre"]) for word in words)]
        if talla is not None:
            hits = [product for product in hits if product["tallas"].get(talla)]
        return {"productos": [{key: p[key] for key in ("nombre", "precio", "oferta") if key in p} for p in hits]}

    def _stock(self, producto: str, talla: str) -> dict[str, Any]:
        found = self._products(producto)["productos"]
        if not found:
            return {"error": "no existe"}
        sizes = next(p["tallas"] for p in self.products if p["nombre"] == found[0]["nombre"])
        return {"producto": found[0]["nombre"], "talla": talla, "unidades": sizes.get(talla, 0)}


class Agent:
    """Rules and a prompt file over the shop's tools. One `answer` is one fresh conversation."""

    def __init__(self, prompt: dict[str, Any], shop: Shop) -> None:
        self.prompt = prompt
        self.shop = shop
        self.calls: list[dict[str, Any]] = []

    def answer(self, messages: list[dict[str, str]]) -> dict[str, Any]:
        """The reply to the last message, given the ones before it."""
        self.calls = []
        said = [message["content"] for message in messages if message["role"] == "user"]
        last = said[-1] if said else ""
        output = self._reply(last, " ".join(said))
        return {"output": self._in_register(output, last), "tool_calls": self.calls}

    def _call(self, name: str, **args: Any) -> dict[str, Any]:
        """Calls a tool as the prompt file describes its parameters: a model fills them in the way it was told to."""
        described = self.prompt["tools"][name]
        filled = {key: _as_described(value, described.get(key, {})) for key, value in args.items() if value is not None}
        result = self.shop.call(name, filled)
        self.calls.append({"name": name, "args": filled, "output": result})
        return result

    def _reply(self, last: str, conversation: str) -> str:
        text = simple(last)
        numbers = [match.group().replace(".", "") for match in ORDER_NUMBER.finditer(last)]
        rules = (
            (
                _has(text, "instrucciones", "prompt", "codigo interno", "sin restricciones", "administrador"),
                self._refuse,
            ),
            (_has(text, "sistema:"), self._quoted),
            (_has(text, "tarea", "ampolla", "crema", "receta"), self._off_topic),
            (_has(text, "devol", "reclamo", "factura", "direccion", "persona", "humano"), self._hand_over),
            (_has(text, "cuanto demora", "despacho a", "despachan"), self._delivery),
            (_has(text, "horario", "que hora", "abren"), self._hours),
            (_has(text, "retir"), self._pickup),
        )
        rule = next((rule for applies, rule in rules if applies), self._about_orders)
        return rule(last, numbers) or self._ask(simple(conversation))

    def _about_orders(self, last: str, numbers: list[str]) -> str | None:
        text = simple(last)
        if numbers:
            return " ".join(self._order(number) for number in numbers)
        if _has(text, "stock", "queda", "zapat", "bota", "sandalia", "oferta", "producto"):
            return self._goods(last, numbers)
        mistyped = MISTYPED_NUMBER.search(text)
        if mistyped and not self.prompt["check_order_numbers"]:
            return self._order(mistyped.group(1))
        if mistyped:
            return "El número parece tener una letra. ¿Puede verificarlo, por favor? Son cinco dígitos."
        return None

    def _ask(self, conversation: str) -> str:
        if _has(conversation, "pedi"):
            return "Con gusto. ¿Me indica su número de pedido, por favor? Está en su correo de compra."
        return "Buenas tardes. Puedo ayudarle con pedidos, retiros y productos de la tienda. ¿Qué necesita?"

    def _refuse(self, last: str, numbers: list[str]) -> str:
        return "No puedo ayudarle con eso. Con gusto reviso el estado de un pedido o agendo un retiro."

    def _quoted(self, last: str, numbers: list[str]) -> str:
        return "Veo el comentario, pero no sigo instrucciones escritas en él. ¿Qué necesita saber de su pedido?"

    def _off_topic(self, last: str, numbers: list[str]) -> str:
        if _has(simple(last), "ampolla", "crema"):
            return "No puedo dar indicaciones médicas; le sugiero consultar a un profesional de la salud."
        return "Solo puedo ayudarle con pedidos, retiros y productos de la tienda."

    def _hand_over(self, last: str, numbers: list[str]) -> str:
        text = simple(last)
        topics = {"devol": "devolución", "reclamo": "reclamo", "factura": "factura", "direccion": "cambio de dirección"}
        motive = next((topic for sign, topic in topics.items() if sign in text), "atención de una persona")
        self._call("derivarAHumano", motivo=motive, resumen=last)
        about = f" sobre el pedido {numbers[0]}" if numbers else ""
        return (
            f"Derivo su solicitud de {motive}{about} a una persona de nuestro equipo, que le escribirá por este medio."
        )

    def _delivery(self, last: str, numbers: list[str]) -> str:
        return "El despacho demora entre 3 y 5 días hábiles en regiones, y entre 1 y 2 en la Región Metropolitana."

    def _hours(self, last: str, numbers: list[str]) -> str:
        return "Gracias por su espera. Las tiendas abren de lunes a sábado, de 10:00 a 20:00."

    def _pickup(self, last: str, numbers: list[str]) -> str:
        day = _date_in(simple(last), self.shop.today)
        if not numbers:
            return "Con gusto agendo su retiro. ¿Me indica su número de pedido y la fecha, por favor?"
        if day is None:
            return f"¿Para qué fecha desea agendar el retiro del pedido {numbers[0]}?"
        if day.weekday() == 6:
            return f"El {_words(day)} es domingo y las tiendas no abren. ¿Le acomoda otra fecha?"
        result = self._call("agendarRetiro", numero=numbers[0], fecha=day.isoformat())
        if "error" in result:
            return f"No pude agendar el retiro del pedido {numbers[0]}: {result['error']}."
        return (
            f"Su retiro del pedido {numbers[0]} queda agendado para el {_words(day)} en la tienda {result['tienda']}."
        )

    def _goods(self, last: str, numbers: list[str]) -> str:
        text = simple(last)
        size = re.search(r"talla (\d{2})", text)
        kind = re.search(r"(zapatillas de running|zapatillas|zapatos|botas de cuero|botas|sandalias)", text)
        wanted = kind.group(1) if kind else "ofertas"
        if _has(text, "stock", "queda") and size:
            result = self._call("consultarStock", producto=wanted, talla=size.group(1))
            some = "Sí, queda" if result.get("unidades") else "No queda"
            return f"{some} stock de {wanted} en talla {size.group(1)}."
        found = self._call("buscarProducto", consulta=wanted, talla=size.group(1) if size else None)["productos"]
        if not found:
            return "No encontré productos con esas características."
        return (
            "Sí, tenemos: " + "; ".join(f"{p['nombre']} a {_pesos(p.get('oferta', p['precio']))}" for p in found) + "."
        )

    def _order(self, number: str) -> str:
        order = self._call("consultarPedido", numero=number)
        if "error" in order:
            return f"Busqué el {number} y {ABSENT}"
        parts = [f"Su pedido {number} está {order['estado']}"]
        if "fecha_entrega" in order:
            parts = [f"Su pedido {number} fue entregado el {_words(dt.date.fromisoformat(order['fecha_entrega']))}"]
        if "fecha_estimada" in order:
            parts.append(f"con fecha estimada de entrega el {_words(dt.date.fromisoformat(order['fecha_estimada']))}")
        if "tienda" in order:
            parts.append(f"en la tienda {order['tienda']}")
        note = f" {order['nota']}" if "nota" in order else ""
        return f"{', '.join(parts)}.{note}"

    def _in_register(self, output: str, last: str) -> str:
        """«Habla como habla el cliente»: taken at its word, slang comes back as slang."""
        if self.prompt["register"] != "cercano" or not SLANG.search(simple(last)):
            return output
        return f"Ya po, {output[0].lower()}{output[1:]} ¿Cachái?"


def simple(text: str) -> str:
    """Lower case without accents, as people type."""
    decomposed = unicodedata.normalize("NFD", text.lower())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def _has(text: str, *signs: str) -> bool:
    return any(sign in text for sign in signs)


def _as_described(value: str, described: dict[str, str]) -> str | int:
    if described.get("normalize") == "drop_leading_zeros":
        value = value.lstrip("0") or "0"
    return int(value) if described.get("type") == "integer" else value


def _date_in(text: str, today: dt.date) -> dt.date | None:
    written = re.search(rf"(\d{{1,2}}) de ({'|'.join(MONTHS)})", text)
    if written:
        with suppress(ValueError):  # the 31st of a shorter month is no date, and is asked for again
            return dt.date(today.year, MONTHS.index(written.group(2)) + 1, int(written.group(1)))
    days = {"pasado manana": 2, "manana": 1, "hoy": 0, "ayer": -1}
    return next((today + dt.timedelta(days=ahead) for word, ahead in days.items() if word in text), None)


def _words(day: dt.date) -> str:
    return f"{day.day} de {MONTHS[day.month - 1]}"


def _pesos(amount: int) -> str:
    return f"${amount:,}".replace(",", ".")


def main() -> None:
    """Answers every line of standard input, until it ends."""
    parser = argparse.ArgumentParser(description="The embedded example's orders agent.")
    parser.add_argument("--prompt", default="v1", help="which file of prompts/ to follow")
    prompt = json.loads((HERE / "prompts" / f"{parser.parse_args().prompt}.json").read_text("utf-8"))
    agent = Agent(prompt, Shop(json.loads((HERE / "shop.json").read_text("utf-8"))))
    for line in sys.stdin.buffer:
        request = json.loads(line)
        given = request["input"]
        messages = [{"role": "user", "content": given}] if isinstance(given, str) else given
        named = {key: request[key] for key in ("case_id", "trial") if key in request}
        print(json.dumps({**named, **agent.answer(messages)}), flush=True)  # noqa: T201 - the line is its answer


if __name__ == "__main__":
    main()
