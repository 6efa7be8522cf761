import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import formidable from 'formidable'
import type { z } from 'zod'
import { unprocessable } from '@/server/kernel/errors'
import { yes } from '@/server/kernel/wire'

/** Reads an urlencoded or multipart form into the values the same fields have in JSON. Throws unprocessable. */
export async function parseForm(
  bytes: Uint8Array,
  contentType: string,
  fields: Readonly<Record<string, z.ZodType>>,
): Promise<Record<string, unknown>> {
  const headers = { 'content-type': contentType, 'content-length': String(bytes.byteLength) }
  const request = Object.assign(Readable.from([Buffer.from(bytes)]), {
    headers,
  }) as unknown as IncomingMessage
  const form = formidable({
    maxFields: 100,
    maxFieldsSize: bytes.byteLength + 1,
    filter: () => false,
  })
  const [texts] = await form.parse(request).catch((cause: unknown) => {
    throw unprocessable('[]: the form cannot be read', { cause })
  })
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, values]) => {
      // Not `fields[name]` alone: every object has a `constructor`.
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      return field && values ? [[name, formValue(field, values)]] : []
    }),
  )
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

// What our wire schemas say of themselves in the document, found below `.optional()`.
function documentedType(field: z.ZodType): unknown {
  const override = field.meta()?.override as { type?: string } | undefined
  if (override?.type) return override.type
  const inner = (field.def as { innerType?: z.ZodType }).innerType
  return inner ? documentedType(inner) : field.def.type
}
