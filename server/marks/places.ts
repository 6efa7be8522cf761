import type { Config } from '@/server/kernel/config'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { objectStorage } from './object-storage'
import type { Place } from './place'
import { repositoryDirectory } from './repository-directory'

type PlaceSettings = Pick<Config, 'repositoryDir' | 'storage'>

/** All places of a site. */
export const placesOf = (config: PlaceSettings, storage: ObjectStorage): Place[] => [
  repositoryDirectory(config),
  objectStorage(config.storage, storage),
]
