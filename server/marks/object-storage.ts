import { Readable } from 'node:stream'
import { isDomainError } from '@/server/kernel/errors'
import { readBeginning } from '@/server/kernel/read-beginning'
import type { StorageSettings } from '@/server/kernel/storage/settings'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { findMissing } from './find-missing'
import type { Location } from './location'
import { markIn, textOf } from './mark-text'
import { objectSample } from './sample'

// Object keys are random, and no object ever gets this one.
const markKey = '0'.repeat(32)

export function objectStorage(settings: StorageSettings, storage: ObjectStorage): Location {
  return {
    thing: 'objects',
    ...nameOf(settings),
    markName: `the object ${markKey}`,
    isRemote: settings.kind !== 'disk',
    prepare: () => storage.prepare(),
    async readMark() {
      const source = await storage.get(markKey).catch(error => {
        if (isDomainError(error) && error.kind === 'notFound') return undefined
        throw error
      })
      if (!source) return undefined
      const { beginning } = await readBeginning(source, 64)
      source.destroy()
      return markIn(beginning)
    },
    async writeMark(mark) {
      await storage.put(markKey, Readable.from([Buffer.from(textOf(mark))]))
    },
    findMissing: db => findMissing(db, objectSample, async key => (await storage.size(key)) !== undefined),
  }
}

function nameOf(settings: StorageSettings): Pick<Location, 'name' | 'variable'> {
  if (settings.kind === 'disk')
    return { name: `the object directory ${settings.directory}`, variable: 'GUILDHALL_STORAGE_DIR' }
  const [kind, name, prefix] =
    settings.kind === 's3'
      ? ['bucket', settings.bucket, settings.prefix]
      : ['container', settings.container, settings.prefix]
  const variable = settings.kind === 's3' ? 'GUILDHALL_S3_BUCKET' : 'GUILDHALL_AZURE_CONTAINER'
  return { name: `the ${kind} ${name}${prefix && ` with the prefix ${prefix}`}`, variable }
}
