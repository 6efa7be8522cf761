import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { type DomainError, invalid, isDomainError } from '../errors'

/** A file that is being received in a `multipart/form-data` request. */
export interface FormFile {
  /** File name that the client sent, possibly with a path; undefined if it sent none. */
  name: string | undefined
  /** Fields before the file. If a field is repeated, its first value counts. */
  fields: ReadonlyMap<string, string>
  bytes: AsyncIterable<Uint8Array>
}

const maxFields = 100
const maxFieldBytes = 64 * 1024
const bufferBytes = 256 * 1024

/**
 * Reads a `multipart/form-data` request, passing the file in the given field to `take` as a stream with
 * backpressure. All other parts are collected as fields, truncated to 64 KiB each. On failure, the rest of
 * the body remains unread.
 * @throws {DomainError} invalid if the form is malformed, or has no file or several files in the field;
 * errors of `take` are rethrown.
 */
export async function takeFormFile<Received>(
  body: Readable,
  contentType: string,
  field: string,
  take: (file: FormFile) => Promise<Received>,
): Promise<{ received: Received; fields: ReadonlyMap<string, string> }> {
  const form = openForm(contentType, field)
  const fields = new Map<string, string>()
  let file: Readable | undefined
  let taking: Promise<Received> | undefined
  const reading = new Promise<void>((resolve, reject) => {
    const fail = (cause: unknown) => reject(unreadable(cause))
    form
      .on('field', (name: string | undefined, value: string) => {
        if (name !== undefined && !fields.has(name)) fields.set(name, value)
      })
      .on('file', (_: string, bytes: Readable, name: string | undefined) => {
        // Without a listener, a body that ends early would crash the process.
        bytes.on('error', fail)
        if (file) return reject(invalid(`the form has more than one file in the field ${field}`))
        file = bytes
        taking = take({
          name: name && unescaped(name),
          fields,
          bytes: bytes.iterator({ destroyOnReturn: false }),
        })
        taking.catch(reject)
      })
      .on('fieldsLimit', () => reject(tooManyParts()))
      .on('partsLimit', () => reject(tooManyParts()))
      .on('error', fail)
      .on('finish', resolve)
    body.on('error', fail)
    body.on('close', () => {
      if (!body.readableEnded) fail(body.errored)
    })
    body.pipe(form)
  })
  try {
    await reading
    if (!taking) throw invalid(`the form has no file in the field ${field}`)
    return { received: await taking, fields }
  } catch (error) {
    body.unpipe(form)
    file?.destroy(error as Error)
    await taking?.catch(() => undefined)
    throw error
  }
}

function openForm(contentType: string, field: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (name, type, fileName) =>
        name === field && (fileName !== undefined || type === 'application/octet-stream'),
      preservePath: true,
      limits: { fields: maxFields, fieldSize: maxFieldBytes, parts: maxFields + 2, headerPairs: 100 },
      highWaterMark: bufferBytes,
      fileHwm: bufferBytes,
    })
  } catch (error) {
    throw unreadable(error)
  }
}

const tooManyParts = (): DomainError => invalid(`the form has more than ${maxFields} fields`)
const unreadable = (cause: unknown): DomainError =>
  isDomainError(cause) ? cause : invalid('the form is malformed or incomplete', { cause })

// Browsers and curl encode only quotes this way.
const unescaped = (name: string): string => name.replaceAll('%22', '"')
