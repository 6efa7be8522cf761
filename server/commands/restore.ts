import { createReadStream } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { importDatabase } from '@/db/backup/import'
import { openDatabase } from '@/db/client'
import { blaming } from '@/server/kernel/blame'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { readSecretKey } from '@/server/kernel/secret-key-file'
import { requireKeyOfMarks } from '@/server/marks'
import { type Environment, readEnvironment } from './environment'
import { keyIn, putBackSecretKey, refuseOtherKey } from './secret-key-file'
import { aboutRestoredFiles, aboutRestoredGitData, summarizeRows } from './summary'

/**
 * `restore FILE`: restores a backup into an empty database, embedded or on a server, and returns the message
 * to print.
 */
export async function restore(args: string[], env: Environment): Promise<string> {
  const { positionals } = parseArgs({ args, allowPositionals: true })
  const [file] = positionals
  if (!file || positionals.length > 1) throw new Error('expected one argument: the backup file to restore')
  await requireReadable(file)
  const { databaseUrl, dataDir, repositoryDir, storage, secretKey } = readEnvironment(env)
  if (!databaseUrl) await blaming('GUILDHALL_DATA_DIR', () => makeDirectory(dataDir))
  const database = await openDatabase({ databaseUrl, dataDir })
  try {
    const { header, rows } = await importDatabase(database.db, createReadStream(file), {
      onHeader: found => refuseOtherKey(dataDir, found.secretKey),
      async beforeCommit(found, trx) {
        const key = secretKey ?? (keyIn(found.secretKey) || (await readSecretKey(dataDir)))
        if (key) await requireKeyOfMarks(trx, key)
        await putBackSecretKey(dataDir, found.secretKey)
      },
    })
    return (
      `Restored the backup of ${header.createdAt}: ${summarizeRows(rows)}.` +
      aboutRestoredGitData(rows, repositoryDir) +
      aboutRestoredFiles(rows, storage)
    )
  } finally {
    await database.close()
  }
}

async function requireReadable(file: string): Promise<void> {
  const found = await stat(file).catch(undefinedIfAbsent)
  if (!found) throw new Error(`there is no file ${file}`)
  if (found.isDirectory()) throw new Error(`${file} is a directory; specify the backup file`)
  await access(file, constants.R_OK).catch(() => {
    throw new Error(
      `${file} cannot be read by this user; change its permissions, or run this command as its owner`,
    )
  })
}
