import { runGit } from '@/server/kernel/git/run'
import { repositoryPath } from '@/server/repos/storage'
import { call } from './call'
import type { Person } from './people'
import type { Site } from './site'

/** A file of a commit: its text, or with a mode, or a submodule at a commit ID. */
export type MadeFile = string | Buffer | { text: string | Buffer; mode: string } | { submodule: string }

/** A repository with commits, for tests. */
export interface CodeRepository {
  id: number
  name: string
  /** Path in the API, without `/api/v1`. */
  path: string
  /** Directory of the Git data. */
  directory: string
  /** Runs Git in the repository and returns its output without the last line feed. */
  git: (...args: string[]) => Promise<string>
  /** Commits files on a branch, in addition to those of its last commit, and returns the ID of the commit. */
  commit: (
    files: Record<string, MadeFile>,
    options?: { branch?: string; message?: string; author?: string; date?: string },
  ) => Promise<string>
}

let count = 0

/** Creates a repository of a person whose default branch `main` has these files. */
export async function makeCode(
  site: Site,
  owner: Person,
  files: Record<string, MadeFile>,
): Promise<CodeRepository> {
  const name = `code-${++count}`
  const { body } = await call(site, 'POST', '/user/repos', {
    as: owner,
    body: { name, auto_init: true, default_branch: 'main' },
  })
  const { storage_key } = await site.db
    .selectFrom('repositories')
    .select('storage_key')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow()
  const directory = repositoryPath(site.services.config, storage_key)
  const git = async (...args: string[]): Promise<string> =>
    (await runGit(args, { repository: directory, settings: author })).trimEnd()
  const commit = (more: Record<string, MadeFile>, options = {}): Promise<string> =>
    makeCommit(directory, more, options)
  await makeCommit(directory, files, { isFirst: true })
  return { id: body.id, name, path: `/repos/${owner.name}/${name}`, directory, git, commit }
}

const author = { 'user.name': 'Bob', 'user.email': 'bob@example.test' }

// `git fast-import` writes any tree and any bytes in one process.
async function makeCommit(
  repository: string,
  files: Record<string, MadeFile>,
  {
    branch = 'main',
    message = 'Change files\n',
    author = 'Bob <bob@example.test>',
    date = '1790000000 +0000',
    isFirst = false,
  }: { branch?: string; message?: string; author?: string; date?: string; isFirst?: boolean } = {},
): Promise<string> {
  const parts: Buffer[] = []
  const write = (text: string): void => void parts.push(Buffer.from(text))
  const data = (content: string | Buffer): void => {
    const bytes = Buffer.from(content)
    write(`data ${bytes.length}\n`)
    parts.push(bytes, Buffer.from('\n'))
  }
  const ref = `refs/heads/${branch}`
  if (isFirst) write(`reset ${ref}\n\n`)
  write(`commit ${ref}\nauthor ${author} ${date}\ncommitter ${author} ${date}\n`)
  data(message)
  if (!isFirst) write(`from ${ref}^0\n`)
  for (const [path, file] of Object.entries(files)) {
    const quoted = `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`
    if (typeof file === 'object' && 'submodule' in file) write(`M 160000 ${file.submodule} ${quoted}\n`)
    else {
      const { text, mode } =
        typeof file === 'object' && 'text' in file ? file : { text: file, mode: '100644' }
      write(`M ${mode} inline ${quoted}\n`)
      data(text as string | Buffer)
    }
  }
  await runGit(['fast-import', '--quiet', '--force', '--date-format=raw'], {
    repository,
    input: Buffer.concat(parts),
  })
  return (await runGit(['rev-parse', ref], { repository })).trim()
}
