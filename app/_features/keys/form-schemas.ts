import { ExpirySchema } from '@/app/_lib/expiry-schema'
import { AddKeyInput } from '@/server/keys/schema'

/** What the form for a new key asks for. */
export const NewKey = AddKeyInput.pick({ title: true, key: true }).extend({ expiry: ExpirySchema })
