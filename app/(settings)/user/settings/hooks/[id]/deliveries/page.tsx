import { deliveriesPage } from '@/app/_features/hooks/pages/deliveries-page'
import { scopeOfUser } from '@/app/_features/scopes/read-scope'

export const metadata = { title: 'Deliveries' }

export default deliveriesPage(scopeOfUser)
