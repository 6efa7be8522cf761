import type { Selectable } from 'kysely'
import type { HookDeliveriesTable, HooksTable } from '@/db/tables/hooks'

type OfDelivery = Pick<
  Selectable<HookDeliveriesTable>,
  | 'id'
  | 'uuid'
  | 'hook_id'
  | 'kind'
  | 'event'
  | 'event_type'
  | 'sequence'
  | 'content_type'
  | 'payload_id'
  | 'target'
  | 'attempts'
  | 'tries'
  | 'cause'
>

type OfHook = Pick<
  Selectable<HooksTable>,
  | 'type'
  | 'options'
  | 'url_sealed'
  | 'secret_sealed'
  | 'former_secret_sealed'
  | 'former_secret_until'
  | 'authorization_sealed'
  | 'repository_id'
  | 'is_active'
  | 'disabled_reason'
>

/** A delivery that this process may send until its lease ends, with its hook's settings. */
export type DueDelivery = OfDelivery &
  OfHook & {
    leased_until: Date
    /** The account that owns the hook or its repository; null for hooks of the whole site. */
    account_id: number | null
    /** The hook's scope, as named in headers. */
    target_type: 'repository' | 'organization' | 'user' | 'system' | 'default'
  }
