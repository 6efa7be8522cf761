import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { HealthScreen } from '@/app/_features/administration/health-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import { healthQuery } from '@/app/_lib/queries/administration'
import { caller, requireAdmin } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Health' }

export default async function HealthPage(): Promise<ReactNode> {
  await requireAdmin()
  const health = await (await caller()).health.get()
  return (
    <Hydrate entries={[[healthQuery, health]]}>
      <HealthScreen />
    </Hydrate>
  )
}
