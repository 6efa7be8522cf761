import type { Account } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { type DomainError, invalid } from '@/server/kernel/errors'
import type { CreateRepoOption } from './schema'
import { shownName, signatureOf } from './signature'
import type { FirstCommit } from './storage'
import { gitignoreNames, gitignoreOf } from './templates/gitignore'
import { licenseFor } from './templates/licenses'

/**
 * Builds the first commit of a new repository. Returns undefined if the repository is to be empty; templates
 * are then ignored.
 * @throws {DomainError} invalid for a template that does not exist on this site.
 */
export async function initialCommit(
  ctx: UserCtx,
  owner: Account,
  input: CreateRepoOption,
): Promise<FirstCommit | undefined> {
  if (!input.auto_init) return undefined
  const date = ctx.clock.now()
  return {
    message: 'Initial commit\n',
    author: signatureOf(ctx),
    files: {
      'README.md': readme(input),
      ...ignoredFiles(input),
      ...(await license(input, { year: date.getUTCFullYear(), holder: shownName(owner) })),
    },
  }
}

function readme({ readme, name, description }: CreateRepoOption): string {
  if (readme && readme !== 'Default')
    throw unknownTemplate('readme', readme, 'available templates: [Default]')
  // To the byte what Gitea writes: tests of its clients compare it.
  return `# ${name}\n\n${description ?? ''}`
}

// Template names are separated by commas.
function ignoredFiles({ gitignores }: CreateRepoOption): FirstCommit['files'] {
  const names = (gitignores ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
  const unknown = names.find(name => !gitignoreNames.includes(name))
  if (unknown)
    throw unknownTemplate('gitignores', unknown, 'see GET /gitignore/templates for the available ones')
  return names.length > 0 ? { '.gitignore': gitignoreOf(names) } : {}
}

async function license(
  { license }: CreateRepoOption,
  grant: { year: number; holder: string },
): Promise<FirstCommit['files']> {
  if (!license) return {}
  const text = await licenseFor(license, grant)
  if (text === undefined)
    throw unknownTemplate('license', license, 'see GET /licenses for the available ones')
  return { LICENSE: text }
}

export const unknownTemplate = (field: string, name: string, instead: string): DomainError =>
  invalid(`${field} template does not exist [${name}], ${instead}`, { field })
