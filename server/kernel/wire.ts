import { z } from 'zod'

/** A row id: a number on tRPC, digits in a REST path; always below 2^53. */
export const id = z
  .union(
    [
      z.int().min(0),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ],
    'Give an id, which is a whole number.',
  )
  .pipe(z.int())
  .meta({ override: { type: 'integer', format: 'int64' } })

/** A row id in an answer. */
export const wireId = z.int().meta({ override: { type: 'integer', format: 'int64' } })

/** A name in a path, percent-decoded. Undecodable or unspeakable text fails, which the projection answers with 404. */
export const pathText = decodedPath(decodeURIComponent)

/** A name in a path as `pathText`, but of any bytes: those that are no text stay percent-encoded, in capitals. */
export const pathBytes = decodedPath(text =>
  text.replace(/%(?:[0-9a-f]{2}(?:%[0-9a-f]{2})*)?/gi, run => {
    if (run === '%') throw new URIError('no escape')
    return run.replace(characters, decodedOrKept)
  }),
)

// As many bytes as their first one announces, or else a single one.
const characters =
  /%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|%[0-9a-f]{2}/gi

function decodedOrKept(character: string): string {
  try {
    return decodeURIComponent(character)
  } catch {
    return character.toUpperCase()
  }
}

function decodedPath(decode: (text: string) => string): z.ZodType<string, string> {
  return z
    .string()
    .max(1024)
    .transform((text, issues) => {
      try {
        const decoded = decode(text)
        if (!hasControlCharacter(decoded) && decoded.isWellFormed()) return decoded
      } catch {}
      issues.addIssue('not a name')
      return z.NEVER
    })
    .meta({ override: { type: 'string' } })
}

/** What a form says of a text that is over its limit. */
export const tooLong = (max: number): string => `Use at most ${max} characters.`

/** One line of text: `max` characters, no control characters. */
export function line(max: number): z.ZodString {
  return z
    .string()
    .max(max, tooLong(max))
    .refine(text => !hasControlCharacter(text), 'Remove the control characters.')
    .refine(text => text.isWellFormed(), 'Remove the broken characters.')
}

/** Text of several lines: as `line`, but tabs and line breaks may stay. */
export function paragraph(max: number): z.ZodString {
  return z
    .string()
    .max(max, tooLong(max))
    .refine(text => !hasControlCharacter(text.replace(/[\t\r\n]/g, '')), 'Remove the control characters.')
    .refine(text => text.isWellFormed(), 'Remove the broken characters.')
}

/** A line that must hold something besides spaces. */
export function filledLine(max: number, message: string): z.ZodPipe<z.ZodString, z.ZodString> {
  return z.string().trim().pipe(line(max).min(1, message))
}

// A bare z.boolean() would be switched to coercing by the projection, and "false" read as true.
export const strictBoolean = z
  .boolean()
  .pipe(z.boolean())
  .meta({ override: { type: 'boolean' } })

/** A free text in a query string, without NUL, which PostgreSQL has no place for; the first counts when it is repeated. */
export const queryText = z
  .union([z.string(), z.array(z.string())])
  .transform(value => (Array.isArray(value) ? (value[0] ?? '') : value).replaceAll('\0', ''))
  .meta({ override: { type: 'string' } })

/** What clients write for true in queries and forms. */
export const yes: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True', 'on'])

/** A flag in a query string. As lenient as `page` and `limit`: empty counts as not given, an unknown word as no. */
export const lenientFlag = z
  .union([z.boolean(), queryText])
  .optional()
  .transform(value => (value === undefined || value === '' ? undefined : yes.has(String(value))))
  .meta({ override: { type: 'boolean' } })

/** The id of a filter in a query string. As lenient as `page` and `limit`: what is no id counts as not given. */
export const lenientId = z
  .union([z.number(), queryText])
  .optional()
  .transform(value => (/^\d{1,15}$/.test(String(value)) ? Number(value) || undefined : undefined))
  .meta({ override: { type: 'integer', format: 'int64' } })

// Mail and git take what no stricter rule foresees, such as a host of one's own network. Brackets end an address in git.
const addressForm = /^[^\p{Z}\p{C}<>@]+@[^\p{Z}\p{C}<>@]+$/u

/** Tells whether a text is an e-mail address: something at a host, without blanks. */
export const isEmailAddress = (text: string): boolean => addressForm.test(text)

/** What a form says of a text that is no e-mail address. */
export const noEmailAddress = {
  error: 'Enter an e-mail address such as ada@example.com.',
  params: { rule: 'Email' },
}

/** The address of a page of somebody's own; empty for none. */
export const website = z
  .string()
  .trim()
  .pipe(
    line(255).refine(
      text => text === '' || (URL.canParse(text) && /^https?:\/\//i.test(text)),
      'Enter an address that starts with https:// or http://.',
    ),
  )

export const wireTimeSchema = z.string().meta({ override: { type: 'string', format: 'date-time' } })

/** RFC 3339 in UTC with seconds. */
export const wireTime = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

/** What clients of this contract read as "never". */
export const neverTime = '0001-01-01T00:00:00Z'

/** Tells whether a text has an ASCII control character. */
export function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}
