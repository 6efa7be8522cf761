import { ExpirySchema } from '@/app/_lib/expiry-schema'
import { CreateDeployKeyInput } from '@/server/keys/deploy/schema'

/** What the form for a new deploy key asks for. */
export const NewDeployKey = CreateDeployKeyInput.pick({ title: true, key: true }).extend({
  expiry: ExpirySchema,
})
