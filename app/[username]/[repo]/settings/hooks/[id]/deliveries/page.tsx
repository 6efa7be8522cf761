import { deliveriesPage } from '@/app/_features/hooks/pages/deliveries-page'
import { scopeOfRepository } from '@/app/_features/scopes/read-scope'

export const metadata = { title: 'Deliveries' }

export default deliveriesPage(scopeOfRepository)
