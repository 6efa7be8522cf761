import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { type DomainError, invalid, isDomainError } from '../errors'

/** A file on its way in a form. */
export interface FormFile {
  /** As the client named it, with whatever path; undefined where it did not. */
  name: string | undefined
  /** The fields that came before it; of several of a name the first. */
  fields: ReadonlyMap<string, string>
  bytes: AsyncIterable<Uint8Array>
}

const maxFields = 100
const maxFieldBytes = 64 * 1024
const bufferBytes = 256 * 1024

/**
 * Reads a form that holds one file, in this field, as fast as `take` reads the file; all else in it is a field, of which the
 * beginning is kept. When it fails, what is not read of the body stays unread.
 * @throws {DomainError} invalid for a form that cannot be read, or has no such file or several; whatever `take` throws.
 */
export async function takeFormFile<Taken>(
  body: Readable,
  contentType: string,
  field: string,
  take: (file: FormFile) => Promise<Taken>,
): Promise<{ taken: Taken; fields: ReadonlyMap<string, string> }> {
  const form = openForm(contentType, field)
  const fields = new Map<string, string>()
  let file: Readable | undefined
  let taking: Promise<Taken> | undefined
  const reading = new Promise<void>((resolve, reject) => {
    const fail = (cause: unknown) => reject(unreadable(cause))
    form
      .on('field', (name: string | undefined, value: string) => {
        if (name !== undefined && !fields.has(name)) fields.set(name, value)
      })
      .on('file', (_: string, bytes: Readable, name: string | undefined) => {
        // Without a listener the failure of a body that ends early would end the process.
        bytes.on('error', fail)
        if (file) return reject(invalid(`the form has more than one file in its field ${field}`))
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
    if (!taking) throw invalid(`the form has no file in its field ${field}`)
    return { taken: await taking, fields }
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
  isDomainError(cause) ? cause : invalid('the form cannot be read, or was cut short', { cause })

// Browsers and curl write a quote so, and nothing else that a name may hold.
const unescaped = (name: string): string => name.replaceAll('%22', '"')
