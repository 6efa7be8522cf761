import { type BlockBlobClient, ContainerClient, StorageSharedKeyCredential } from '@azure/storage-blob'
import type { Logger } from '../../log'
import { checkedKey } from '../key'
import { askingRemote } from '../remote'
import type { AzureSettings } from '../settings'

/** Azure container, or all blobs with a name prefix in a container, that holds the objects of a site. */
export interface Container {
  client: ContainerClient
  credential: StorageSharedKeyCredential
  prefix: string
  blob(key: string): BlockBlobClient
  /** Wraps every request: logs failures and turns them into errors for clients. */
  asking<T>(request: Promise<T>): Promise<T>
}

export function openContainer(settings: AzureSettings, log: Logger): Container {
  const { endpoint, account, accountKey, container, prefix } = settings
  const credential = new StorageSharedKeyCredential(account, accountKey)
  const client = new ContainerClient(`${endpoint.replace(/\/$/, '')}/${container}`, credential, {
    retryOptions: { maxTries: 3, retryDelayInMs: 200 },
  })
  const blob = (key: string) => client.getBlockBlobClient(`${prefix}${checkedKey(key)}`)
  return { client, credential, prefix, blob, asking: askingRemote(log) }
}
