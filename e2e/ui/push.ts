import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitOk } from '@/testing/git'
import { admin } from '../process/guildhall'
import { password } from './people'

/** Pushes the tip of a repository's `main` branch to this ref. */
export async function push(site: string, path: string, login: string, ref: string): Promise<void> {
  const cwd = await mkdtemp(join(tmpdir(), 'guildhall-live-'))
  const authorization = `Basic ${Buffer.from(`${login}:${login === admin.name ? admin.password : password}`).toString('base64')}`
  try {
    await gitOk(['clone', '-q', `${site}${path}.git`, '.'], { cwd, authorization })
    await gitOk(['push', '-q', 'origin', `HEAD:${ref}`], { cwd, authorization })
  } finally {
    await rm(cwd, { recursive: true })
  }
}
