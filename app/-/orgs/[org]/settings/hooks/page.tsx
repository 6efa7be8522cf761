import { listPage } from '@/app/_features/hooks/pages/list-page'
import { scopeOfOrg } from '@/app/_features/scopes/read-scope'

export const metadata = { title: 'Webhooks' }

export default listPage(scopeOfOrg)
