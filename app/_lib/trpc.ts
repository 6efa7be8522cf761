import { createTRPCClient, httpLink } from '@trpc/client'
import type { AppRouter } from '@/server/api/root'

export type { AppRouter }

/** Every call a browser makes; the session cookie goes along by itself. */
export const trpc = createTRPCClient<AppRouter>({ links: [httpLink({ url: '/api/trpc' })] })
