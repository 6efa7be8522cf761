import type { PGlite } from '@electric-sql/pglite'

/** Executes protocol messages and returns the response, which has a buffer of its own. */
export async function execute(pglite: PGlite, messages: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  // The parts are views of the engine's memory, which it uses again.
  await pglite.execProtocolRawStream(messages, { onRawData: part => void parts.push(part.slice()) })
  return joined(parts)
}

/** Copies parts of a message into a buffer of its own, which can be transferred to a thread. */
export function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
