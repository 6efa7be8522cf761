import { listPage } from '@/app/_features/hooks/pages/list-page'
import { scopeOfSite } from '@/app/_features/scopes/read-scope'

export const metadata = { title: 'Webhooks' }

export default listPage(scopeOfSite)
