import { z } from 'zod'

/** A row ID: a number in tRPC, digits in a REST path; always below 2^53. */
export const id = z
  .union(
    [
      z.int().min(0),
      z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ],
    'The ID must be a whole number.',
  )
  .pipe(z.int())
  .meta({ override: { type: 'integer', format: 'int64' } })

/** A row ID in a response. */
export const wireId = z.int().meta({ override: { type: 'integer', format: 'int64' } })

/**
 * A name in a path, percent-decoded. Invalid encodings and control characters fail, and REST responds with
 * 404.
 */
export const pathText = decodedPath(decodeURIComponent)

/**
 * A name in a path like `pathText`, but of arbitrary bytes: bytes that are not valid UTF-8 remain
 * percent-encoded, in uppercase.
 */
export const pathBytes = decodedPath(decodeBytes)

/** The path of a file in a repository, decoded like `pathBytes`. Longer paths cannot be checked out. */
export const treePath = decodedPath(decodeBytes, 3 * 4096)

function decodeBytes(text: string): string {
  return text.replace(/%(?:[0-9a-f]{2}(?:%[0-9a-f]{2})*)?/gi, run => {
    if (run === '%') throw new URIError('no escape')
    return run.replace(characters, decodedOrKept)
  })
}

// Matches as many bytes as the first one announces, or else a single byte.
const characters =
  /%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|%[0-9a-f]{2}/gi

function decodedOrKept(character: string): string {
  try {
    return decodeURIComponent(character)
  } catch {
    return character.toUpperCase()
  }
}

function decodedPath(decode: (text: string) => string, maxLength = 1024): z.ZodType<string, string> {
  return z
    .string()
    .max(maxLength)
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

/** Returns the message of a form for a text that exceeds its limit. */
export const tooLong = (max: number): string => `Use at most ${max} characters.`

/** Schema for one line of text: at most `max` characters, without control characters. */
export function line(max: number): z.ZodString {
  return z
    .string()
    .max(max, tooLong(max))
    .refine(text => !hasControlCharacter(text), 'Remove the control characters.')
    .refine(text => text.isWellFormed(), 'Remove the invalid characters.')
}

/** Schema for text with several lines: like `line`, but with tabs and line breaks. */
export function paragraph(max: number): z.ZodString {
  return z
    .string()
    .max(max, tooLong(max))
    .refine(text => !hasControlCharacter(text.replace(/[\t\r\n]/g, '')), 'Remove the control characters.')
    .refine(text => text.isWellFormed(), 'Remove the invalid characters.')
}

/** Schema for a line of text that is trimmed and must not be empty. */
export function filledLine(max: number, message: string): z.ZodPipe<z.ZodString, z.ZodString> {
  return z.string().trim().pipe(line(max).min(1, message))
}

// The OpenAPI library would make a bare z.boolean() coerce its input, so "false" would be read as true.
export const strictBoolean = z
  .boolean()
  .pipe(z.boolean())
  .meta({ override: { type: 'boolean' } })

/**
 * A text in a query string. NUL is removed, because PostgreSQL cannot store it. If the parameter is repeated,
 * the first value counts.
 */
export const queryText = z
  .union([z.string(), z.array(z.string())])
  .transform(value => (Array.isArray(value) ? (value[0] ?? '') : value).replaceAll('\0', ''))
  .meta({ override: { type: 'string' } })

/** Values that clients send for true in queries and forms. */
export const yes: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True', 'on'])

/**
 * A flag in a query string. It is as lenient as `page` and `limit`: empty counts as absent, and unknown words
 * count as false.
 */
export const lenientFlag = z
  .union([z.boolean(), queryText])
  .optional()
  .transform(value => (value === undefined || value === '' ? undefined : yes.has(String(value))))
  .meta({ override: { type: 'boolean' } })

/**
 * The ID of a filter in a query string. It is as lenient as `page` and `limit`: an invalid ID counts as
 * absent.
 */
export const lenientId = z
  .union([z.number(), queryText])
  .optional()
  .transform(value => (/^\d{1,15}$/.test(String(value)) ? Number(value) || undefined : undefined))
  .meta({ override: { type: 'integer', format: 'int64' } })

// Mail and Git accept addresses that stricter rules would refuse, such as a host on a private network. Git
// uses angle brackets as delimiters.
const addressForm = /^[^\p{Z}\p{C}<>@]+@[^\p{Z}\p{C}<>@]+$/u

/** Returns whether a text is an email address: a local part and a host, without spaces. */
export const isEmailAddress = (text: string): boolean => addressForm.test(text)

/** Message of a form for a text that is not an email address. */
export const noEmailAddress = {
  error: 'Enter an email address such as ada@example.com.',
  params: { rule: 'Email' },
}

/** URL of a person's or organization's website; empty for none. */
export const website = z
  .string()
  .trim()
  .pipe(
    line(255).refine(
      text => text === '' || (URL.canParse(text) && /^https?:\/\//i.test(text)),
      'Enter a URL that starts with https:// or http://.',
    ),
  )

export const wireTimeSchema = z.string().meta({ override: { type: 'string', format: 'date-time' } })

/** Formats a time in RFC 3339 in UTC, with a precision of seconds. */
export const wireTime = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

/** Time that clients of this API read as "never". */
export const neverTime = '0001-01-01T00:00:00Z'

/** Returns whether a text contains an ASCII control character. */
export function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}
