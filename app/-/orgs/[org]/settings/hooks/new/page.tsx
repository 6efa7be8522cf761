import { newPage } from '@/app/_features/hooks/pages/new-page'
import { scopeOfOrg } from '@/app/_features/scopes/read-scope'

export const metadata = { title: 'New webhook' }

export default newPage(scopeOfOrg)
