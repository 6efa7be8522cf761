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

/** A delivery that this process can send until the lease ends, with the settings of its webhook. */
export type DueDelivery = OfDelivery &
  OfHook & {
    leased_until: Date
    /** Id of the account that owns the webhook or its repository; null for site webhooks. */
    account_id: number | null
    /** Scope of the webhook, as named in the request headers. */
    target_type: 'repository' | 'organization' | 'user' | 'system' | 'default'
  }
