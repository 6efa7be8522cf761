import { tooLarge } from '../errors'

/** Reads a request's body whole, as bytes. Throws tooLarge as soon as it is known to exceed the limit. */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array> {
  const refuse = () => tooLarge(`the body exceeds the limit of ${limitBytes} bytes`)
  const declared = request.headers.get('content-length')
  if (declared !== null) {
    if (Number(declared) > limitBytes) throw refuse()
    // Node has checked that the body is exactly as long as declared.
    return new Uint8Array(await request.arrayBuffer())
  }
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > limitBytes) throw refuse()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
