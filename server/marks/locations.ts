import type { Config } from '@/server/kernel/config'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import type { Location } from './location'
import { objectStorage } from './object-storage'
import { repositoryDirectory } from './repository-directory'

type LocationSettings = Pick<Config, 'repositoryDir' | 'storage'>

/** Returns all locations of a site. */
export const locationsOf = (config: LocationSettings, storage: ObjectStorage): Location[] => [
  repositoryDirectory(config),
  objectStorage(config.storage, storage),
]
