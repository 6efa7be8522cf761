import { existsSync } from 'node:fs'
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { descendants } from '@/testing/process-tree'

const controllers = '/sys/fs/cgroup'
const isVersion1 = existsSync(`${controllers}/cpu/cpu.shares`)
const periodUs = 100_000

/** The system has no control groups for processor time, or forbids changing them. */
export class NoControlGroups extends Error {}

/** Limits processes to a share of a core each, together with those that they have started. */
export class ControlGroups implements AsyncDisposable {
  private readonly groups: string[] = []

  /**
   * Limits a process.
   * @throws {NoControlGroups} It cannot be limited.
   */
  async limit(pid: number, share: number): Promise<void> {
    const group = `${controllers}/${isVersion1 ? 'cpu/' : ''}guildhall-bench-${pid}`
    const limit = `${group}/${isVersion1 ? 'cpu.cfs_quota_us' : 'cpu.max'}`
    try {
      await mkdir(group)
      this.groups.push(group)
      // The kernel has made the files of a group, unless the directory is an ordinary one.
      if (!existsSync(limit)) throw new Error(`${limit} does not exist`)
      await writeFile(limit, isVersion1 ? `${share * periodUs}` : `${share * periodUs} ${periodUs}`)
      for (const one of await descendants(pid)) await move(one, group)
    } catch (cause) {
      throw new NoControlGroups('', { cause })
    }
  }

  /** Removes the groups, whose processes must be ending. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const group of this.groups) {
      const deadline = Date.now() + 10_000
      // Commands that a server has started end after it.
      while (!(await isRemoved(group)) && Date.now() < deadline) await delay(200)
    }
  }
}

async function move(pid: number, group: string): Promise<void> {
  await writeFile(`${group}/cgroup.procs`, String(pid)).catch((error: NodeJS.ErrnoException) => {
    // It has ended meanwhile.
    if (error.code !== 'ESRCH') throw error
  })
}

async function isRemoved(group: string): Promise<boolean> {
  await rmdir(group).catch(() => undefined)
  return !existsSync(group)
}
