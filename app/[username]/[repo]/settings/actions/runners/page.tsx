import { listPage } from '@/app/_features/runners/pages/list-page'
import { scopeOfRepository } from '@/app/_features/scopes/read-scope'

export const metadata = { title: 'Runners' }

export default listPage(scopeOfRepository)
