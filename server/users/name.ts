import { type DomainError, type Reason, unprocessable } from '@/server/kernel/errors'

/** Number of days for which an account's former name is held for it. */
export const formerNameDays = 30

/** Pattern of a valid account name. The maximum of 40 characters is checked separately. */
export const nameLetters = /^[A-Za-z0-9]+([-._][A-Za-z0-9]+)*$/

const reserved = new Set(
  // The first part is Gitea's list; the rest are paths that other programs expect at the root.
  `. .. .well-known api assets attachments avatar avatars captcha explore favicon.ico ghost gitea-actions issues login
  manifest.json metrics milestones notifications openapi3.v1.json org pulls repo repo-avatars robots.txt sitemap.xml
  ssh_info swagger.v1.json user v2
  healthz readyz twirp`.split(/\s+/),
)
// Names that a visitor might mistake for the site itself.
const official = new Set(['admin', 'administrator', 'root'])
const reservedEndings = ['.keys', '.gpg', '.rss', '.atom', '.png']

/**
 * Checks that a caller who is not an administrator can choose this name for an account.
 * @throws {DomainError} unprocessable if the name is invalid or reserved.
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
 * Checks that a name is valid for a person or organization. Names share the root of URLs with the site's own
 * pages.
 * @throws {DomainError} unprocessable if the name is invalid or reserved.
 */
export function checkName(name: string): void {
  const refuse = (message: string, reason: Reason) => unprocessable(message, { field: 'username', reason })
  if (!nameLetters.test(name) || name.length > 40) {
    throw refuse(
      `name is invalid [${name}]: must be valid alpha or numeric or dash(-_) or dot characters, ` +
        'start and end with a letter or number, have no two of - . _ in a row, and be at most 40 characters long',
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
