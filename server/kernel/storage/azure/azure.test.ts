import { createLog } from '../../log'
import { startAzurite } from '../testing/azurite'
import { describeStorage } from '../testing/contract'
import { describeSignedUrls } from '../testing/signed-urls'
import { openContainer } from './container'
import { openAzureStorage } from './open'

const log = createLog('silent')

describeStorage(
  'Azure, on azurite',
  async () => {
    const { settings, stop } = await startAzurite()
    const { client } = openContainer(settings, log)
    return {
      storage: await openAzureStorage(settings, log),
      async listAll() {
        const names: string[] = []
        for await (const { name } of client.listBlobsFlat({ includeUncommitedBlobs: true })) names.push(name)
        return names
      },
      close: stop,
    }
  },
  { partBytes: 100_000, more: describeSignedUrls },
)
