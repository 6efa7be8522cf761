import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '@/server/kernel/config'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { writeFileAtomic } from '@/server/kernel/fs/atomic-write'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { repositoryPath } from '@/server/repos/storage'
import { findMissing } from './find-missing'
import type { Location } from './location'
import { markIn, textOf } from './mark-text'
import { repositorySample } from './sample'

export function repositoryDirectory(config: Pick<Config, 'repositoryDir'>): Location {
  const { repositoryDir: directory } = config
  const path = join(directory, 'guildhall-mark')
  return {
    thing: 'repositories',
    name: `the repository directory ${directory}`,
    variable: 'GUILDHALL_REPOSITORY_DIR',
    markName: `the file ${path}`,
    isRemote: false,
    prepare: () => makeDirectory(directory),
    async readMark() {
      return markIn((await readFile(path).catch(undefinedIfAbsent)) ?? '')
    },
    writeMark: mark => writeFileAtomic(path, textOf(mark)),
    findMissing: db =>
      findMissing(db, repositorySample, async key => {
        const facts = await stat(join(repositoryPath(config, key), 'HEAD')).catch(undefinedIfAbsent)
        return facts !== undefined
      }),
  }
}
