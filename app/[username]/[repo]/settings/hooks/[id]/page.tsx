import { hookPage } from '@/app/_features/hooks/pages/hook-page'
import { scopeOfRepository } from '@/app/_features/scopes/read-scope'

export const metadata = { title: 'Webhook' }

export default hookPage(scopeOfRepository)
