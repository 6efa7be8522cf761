import { type DomainError, type Reason, unprocessable } from '@/server/kernel/errors'

/** The number of days that a former name stays with its account. */
export const formerNameDays = 30

/** The letters of a name; up to 40 of them. */
export const nameLetters = /^[A-Za-z0-9]+([-._][A-Za-z0-9]+)*$/

const reserved = new Set(
  // Gitea's list, and below it what other programs expect at exactly this path.
  `. .. .well-known api assets attachments avatar avatars captcha explore favicon.ico ghost gitea-actions issues login
  manifest.json metrics milestones notifications openapi3.v1.json org pulls repo repo-avatars robots.txt sitemap.xml
  ssh_info swagger.v1.json user v2
  healthz readyz twirp`.split(/\s+/),
)
// What a visitor would take for the site itself.
const official = new Set(['admin', 'administrator', 'root'])
const reservedEndings = ['.keys', '.gpg', '.rss', '.atom', '.png']

/**
 * Requires that somebody who does not administer the site may choose this name for themselves.
 * @throws {DomainError} unprocessable
 */
export function checkNewName(name: string): void {
  checkName(name)
  if (official.has(name.toLowerCase())) throw refuseReserved(name)
}

const refuseReserved = (name: string): DomainError =>
  unprocessable(`name is reserved [name: ${name}]`, {
    field: 'username',
    reason: { code: 'nameReserved', name },
  })

/**
 * Requires that the name can be a user's or organization's: it stands in URLs beside our own pages.
 * @throws {DomainError} unprocessable
 */
export function checkName(name: string): void {
  const refuse = (message: string, reason: Reason) => unprocessable(message, { field: 'username', reason })
  if (!nameLetters.test(name) || name.length > 40) {
    throw refuse(
      `name is invalid [${name}]: must be valid alpha or numeric or dash(-_) or dot characters, ` +
        'start and end with a letter or digit, with no two of - . _ in a row, up to 40 characters in all',
      { code: 'nameInvalid', name },
    )
  }
  const lower = name.toLowerCase()
  if (reserved.has(lower)) throw refuseReserved(name)
  const ending = reservedEndings.find(suffix => lower.endsWith(suffix))
  if (ending) {
    throw refuse(`name pattern is not allowed [pattern: *${ending}]`, { code: 'endingReserved', ending })
  }
}
