import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { z } from 'zod'
import { type DomainError, unprocessable } from '@/server/kernel/errors'
import { yes } from '@/server/kernel/wire'

const maxFields = 100
const maxLines = 10_000
const plus = '+'.charCodeAt(0)
const space = ' '.charCodeAt(0)
const tooManyFields = (): DomainError => unprocessable(`[]: the form has more than ${maxFields} fields`)

/**
 * Parses a URL-encoded or multipart form into the values that its fields would have in JSON.
 * @throws {DomainError} unprocessable if the form is malformed or has too many fields or lines.
 */
export async function parseForm(
  bytes: Uint8Array,
  contentType: string,
  fields: Readonly<Record<string, z.ZodType>>,
): Promise<Record<string, unknown>> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isMultipart = contentType.toLowerCase().startsWith('multipart/')
  const valuesOf = isMultipart ? await multipartValues(body, contentType) : urlencodedValues(body)
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const values = valuesOf(name)
      return values.length > 0 ? [[name, formValue(field, values)]] : []
    }),
  )
}

type ValuesOf = (name: string) => readonly string[]

// Counted before parsing: splitting a million fields would block the event loop.
function urlencodedValues(body: Buffer): ValuesOf {
  if (occursMoreThan(maxFields - 1, '&', body)) throw tooManyFields()
  // URLSearchParams needs a tenth of a second to replace a million pluses.
  const text = body.map(byte => (byte === plus ? space : byte)).toString()
  const values = new URLSearchParams(text)
  return name => values.getAll(name)
}

// Counted before parsing, too: the parser creates an object for each part and several for each line break.
async function multipartValues(body: Buffer, contentType: string): Promise<ValuesOf> {
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare?.trim()
  if (boundary && occursMoreThan(maxFields + 1, `--${boundary}`, body)) throw tooManyFields()
  if (occursMoreThan(maxLines, '\r', body))
    throw unprocessable(`[]: the form has more than ${maxLines} lines`)
  const headers = { 'content-type': contentType, 'content-length': String(body.length) }
  const request = Object.assign(Readable.from([body]), { headers }) as unknown as IncomingMessage
  // Loaded by the first such form.
  const { default: formidable } = await import('formidable')
  const form = formidable({ maxFields, maxFieldsSize: body.length + 1, filter: () => false })
  const [texts] = await form.parse(request).catch((cause: unknown) => {
    throw unprocessable('[]: the form cannot be read', { cause })
  })
  // `hasOwn`, because `texts.constructor` exists in every object.
  return name => (Object.hasOwn(texts, name) ? (texts[name] ?? []) : [])
}

/** Returns whether an ASCII text occurs more than `max` times in a body. */
export function occursMoreThan(max: number, text: string, bytes: Uint8Array): boolean {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let found = 0
  for (let at = body.indexOf(text); at >= 0; at = body.indexOf(text, at + text.length)) {
    found += 1
    if (found > max) return true
  }
  return false
}

function formValue(field: z.ZodType, values: readonly string[]): unknown {
  const text = values.at(-1) ?? ''
  switch (documentedType(field)) {
    case 'boolean':
      return yes.has(text)
    case 'integer':
      return Number(text)
    case 'array':
      return values
    default:
      return text
  }
}

// Our wire schemas override their type in the OpenAPI document; `.optional()` wraps them.
function documentedType(field: z.ZodType): unknown {
  const override = field.meta()?.override as { type?: string } | undefined
  if (override?.type) return override.type
  const inner = (field.def as { innerType?: z.ZodType }).innerType
  return inner ? documentedType(inner) : field.def.type
}
