import { createTRPCClient, httpLink } from '@trpc/client'
import type { AppRouter } from '@/server/api/root'

export type { AppRouter }

/** Every call a browser makes; the session cookie goes along by itself. Always POST, so that no input is in an address. */
export const trpc = createTRPCClient<AppRouter>({
  links: [httpLink({ url: '/api/trpc', methodOverride: 'POST' })],
})
