import type { Account } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { type DomainError, invalid } from '@/server/kernel/errors'
import type { CreateRepoOption } from './schema'
import { shownName, signatureOf } from './signature'
import type { FirstCommit } from './storage'
import { gitignoreNames, gitignoreOf } from './templates/gitignore'
import { licenseFor } from './templates/licenses'

/**
 * Makes the first commit of a new repository; undefined for an empty one, whose templates are ignored.
 * @throws {DomainError} invalid for a template that this site does not have.
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
  return description ? `# ${name}\n\n${description}\n` : `# ${name}\n`
}

// Several names are separated by commas.
function ignoredFiles({ gitignores }: CreateRepoOption): FirstCommit['files'] {
  const names = (gitignores ?? '')
    .split(',')
    .map(name => name.trim())
    .filter(Boolean)
  const unknown = names.find(name => !gitignoreNames.includes(name))
  if (unknown) throw unknownTemplate('gitignores', unknown, 'GET /gitignore/templates lists those there are')
  return names.length > 0 ? { '.gitignore': gitignoreOf(names) } : {}
}

async function license(
  { license }: CreateRepoOption,
  grant: { year: number; holder: string },
): Promise<FirstCommit['files']> {
  if (!license) return {}
  const text = await licenseFor(license, grant)
  if (text === undefined) throw unknownTemplate('license', license, 'GET /licenses lists those there are')
  return { LICENSE: text }
}

const unknownTemplate = (field: string, name: string, instead: string): DomainError =>
  invalid(`${field} template does not exist [${name}], ${instead}`, { field })
