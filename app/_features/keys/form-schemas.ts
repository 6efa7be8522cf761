import { ExpirySchema } from '@/app/_lib/expiry-schema'
import { AddKeyInput } from '@/server/keys/schema'

/** Validates the form for a new SSH key. */
export const NewKey = AddKeyInput.pick({ title: true, key: true }).extend({ expiry: ExpirySchema })
