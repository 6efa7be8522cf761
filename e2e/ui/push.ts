import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gitOk } from '@/testing/git'
import { admin } from '../process/guildhall'
import { password } from './people'

/** Pushes the tip of a repository's `main` branch to this ref. */
export const push = (site: string, path: string, login: string, ref: string): Promise<void> =>
  withClone(site, path, login, async (cwd, authorization) => {
    await gitOk(['push', '-q', 'origin', `HEAD:${ref}`], { cwd, authorization })
  })

/** Pushes a commit with these files to the default branch of a repository that has commits, by default `main`. */
export const pushFiles = (
  site: string,
  path: string,
  login: string,
  files: Record<string, string>,
  branch = 'main',
): Promise<void> =>
  withClone(site, path, login, async (cwd, authorization) => {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(cwd, name)), { recursive: true })
      await writeFile(join(cwd, name), content)
    }
    await gitOk(['add', '.'], { cwd })
    await gitOk(['commit', '-q', '-m', 'Change files'], { cwd })
    await gitOk(['push', '-q', 'origin', `HEAD:${branch}`], { cwd, authorization })
  })

/** Clones a repository, works in the clone, and deletes it. */
export async function withClone(
  site: string,
  path: string,
  login: string,
  work: (cwd: string, authorization: string) => Promise<void>,
): Promise<void> {
  const cwd = await mkdtemp(join(tmpdir(), 'guildhall-push-'))
  const authorization = `Basic ${Buffer.from(`${login}:${login === admin.name ? admin.password : password}`).toString('base64')}`
  try {
    await gitOk(['clone', '-q', `${site}${path}.git`, '.'], { cwd, authorization })
    await work(cwd, authorization)
  } finally {
    await rm(cwd, { recursive: true })
  }
}
