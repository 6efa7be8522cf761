import { ExpirySchema } from '@/app/_lib/expiry-schema'
import { CreateDeployKeyInput } from '@/server/keys/deploy/schema'

/** Validates the form for a new deploy key. */
export const NewDeployKey = CreateDeployKeyInput.pick({ title: true, key: true }).extend({
  expiry: ExpirySchema,
})
