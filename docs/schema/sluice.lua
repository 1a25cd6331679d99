---@meta
-- The functions of scripts that ask the device: docs/scripting.md.

---@class item: table

accounts = {}
app = {}
compliance = {}
configuration = {}
data = {}
device = {}
files = {}
keychain = {}
managed = {}
notifications = {}
pasteboard = {}
policy = {}
share = {}
tokens = {}
url = {}

-- request

--- Loads an attachment as one of its types, named with or without the prefix `com.microsoft.intune.mam.`. Without `number`, it loads the first attachment. If the type is not offered, the error lists the offered types. Result: the item; or nil and the reason.
---@param type string
---@param number? integer
---@return any
function share.load(type, number) end

--- Ends the request and returns nothing, one item or a list of items to the sender.
---@param items? string|item
function share.complete(items) end

--- Ends the request without returning items.
---@param why? string
function share.cancel(why) end

-- transfers

--- Offers a copy to an app or extension, by name or bundle id. `via = "os"` bypasses the SDK. Result: an outcome; or nil and an error.
---@param options { to: string, text?: string, data?: string, type?: string, name?: string, item?: item, file?: string, group?: string, via?: string }
---@return any
function app.share(options) end

--- Opens a document in an app. Result: an outcome; or nil and an error.
---@param options { to: string, text?: string, data?: string, type?: string, name?: string, item?: item, file?: string, group?: string, via?: string }
---@return any
function app.open(options) end

--- Drops an item in an app. Result: an outcome; or nil and an error.
---@param options { to: string, text?: string, data?: string, type?: string, name?: string, item?: item, file?: string, group?: string, via?: string }
---@return any
function app.drop(options) end

--- Requests an item from another app. `items[1]` of the outcome is the item. Result: an outcome.
---@param options { from: string, via?: string }
---@return any
function app.import(options) end

--- Saves a copy to a storage location; `account` is the location's owner, if it has one. Result: an outcome; or nil and an error.
---@param options { location: string, account?: string, text?: string, data?: string, type?: string, name?: string, item?: item, file?: string, group?: string }
---@return any
function app.save(options) end

--- Passes an item to the system: `print`, `spotlight`, `widget`, …. Result: an outcome; or nil and an error.
---@param options { channel: string, text?: string, data?: string, type?: string, name?: string, item?: item, file?: string, group?: string }
---@return any
function app.hand(options) end

--- Shows an item in a notification. Result: an outcome.
---@param item string|item
---@return any
function notifications.show(item) end

--- Copies an item to the pasteboard. Result: an outcome.
---@param item string|item
---@return any
function pasteboard.copy(item) end

--- Requests the content of the pasteboard. `items[1]` of the outcome is the content. Result: an outcome.
---@return any
function pasteboard.paste() end

--- Opens a URL. Result: an outcome.
---@param url string
---@param options? { isKnownManagedAppScheme?: boolean }
---@return any
function url.open(url, options) end

--- Whether the URL may be opened. Result: a boolean.
---@param url string
---@param options? { isKnownManagedAppScheme?: boolean }
---@return any
function url.canOpen(url, options) end

-- keychain

--- Adds a password, to the app's default group if there is no `group`. Result: an outcome.
---@param options { service: string, account: string, group?: string, value: string }
---@return any
function keychain.add(options) end

--- Looks up a password. `value` is ignored. Result: an outcome, and the value or nil.
---@param options { service: string, account: string, group?: string, value?: string }
---@return any
function keychain.query(options) end

--- Deletes a password. `value` is ignored. Result: an outcome.
---@param options { service: string, account: string, group?: string, value?: string }
---@return any
function keychain.delete(options) end

-- managed

--- The configuration. Result: the bytes of a property list, or nil.
---@return any
function managed.configuration() end

--- The legacy configuration. Result: the bytes of a property list, or nil.
---@return any
function managed.legacyConfiguration() end

--- The passwords. Result: a list of identifiers.
---@return any
function managed.passwords() end

--- The certificates. Result: a list of identifiers.
---@return any
function managed.certificates() end

--- The identities. Result: a list of identifiers.
---@return any
function managed.identities() end

--- A password. Result: the password; or nil and the name of an error.
---@param id string
---@return any
function managed.password(id) end

--- A certificate. Result: DER; or nil and the name of an error.
---@param id string
---@return any
function managed.certificate(id) end

--- The certificate chain of an identity, its own certificate first. Result: a list of certificates in DER; or nil and the name of an error.
---@param id string
---@return any
function managed.identity(id) end

--- Signs data with the key of an identity; the default algorithm is `ecdsaSignatureMessageX962SHA256`. Result: the signature; or nil and the name of an error.
---@param id string
---@param data string
---@param algorithm? string
---@return any
function managed.sign(id, data, algorithm) end

--- Reports to the administrator why the app rejects its configuration, or, without arguments, that the app accepts it.
---@param code? integer
---@param message? string
function managed.report(code, message) end

-- accounts

--- Signs an account in. Result: an outcome.
---@param account string
---@return any
function accounts.signIn(account) end

--- Signs an account out. Result: an outcome.
---@param account string
---@return any
function accounts.signOut(account) end

--- Registers an account and enrolls it. Result: an outcome.
---@param account? string
---@return any
function accounts.enroll(account) end

--- Signs an account in and enrolls it. Result: an outcome.
---@param account? string
---@return any
function accounts.login(account) end

--- Unenrolls an account, and wipes its data if `wipes` is true. Result: an outcome.
---@param account string
---@param wipes? boolean
---@return any
function accounts.unenroll(account, wipes) end

--- The registered accounts. Result: a list of object ids, or UPNs of accounts that have none.
---@return any
function accounts.registered() end

--- The enrolled accounts. Result: a list of object ids, or UPNs of accounts that have none.
---@return any
function accounts.enrolled() end

--- Brings an account into compliance. The outcome states whether the call was accepted; `app.complianceStatus` receives the result. Result: an outcome.
---@param account string
---@param silent? boolean
---@return any
function compliance.remediate(account, silent) end

--- Whether the account is being remediated. Result: a boolean.
---@param account string
---@return any
function compliance.isInProgress(account) end

--- Acquires a token for a service. Result: the token; or nil, MSAL's error code and, if protection is required, `<OID>.<tenant>`.
---@param account string
---@param resource string
---@param capabilities? string[]
---@return any
function tokens.acquire(account, resource, capabilities) end

--- Switches a window, by default the main window, to an account: `""` is the unknown account, nil unsets. Result: `success`, `canceled`, `notAllowed` or `failed`.
---@param account? string
---@param window? string
---@return any
function accounts.switchTo(account, window) end

--- Switches the process to an account. Result: `success`, `canceled`, `notAllowed` or `failed`.
---@param account? string
---@return any
function accounts.setProcess(account) end

--- The account of a window. Result: an account, or nil.
---@param window? string
---@return any
function accounts.current(window) end

--- The account of the process. Result: an account, or nil.
---@return any
function accounts.process() end

--- Whether a policy applies to the account of the main window. Result: a boolean.
---@return any
function accounts.isManaged() end

-- configuration

--- A string; `query` is `any` (the default), `min` or `max`. Result: the value, or nil.
---@param key string
---@param options? { account?: string, query?: string }
---@return any
function configuration.string(key, options) end

--- A number; `query` is `any` (the default), `min` or `max`. Result: the value, or nil.
---@param key string
---@param options? { account?: string, query?: string }
---@return any
function configuration.number(key, options) end

--- A boolean; `query` is `any` (the default), `or` or `and`. Result: the value, or nil.
---@param key string
---@param options? { account?: string, query?: string }
---@return any
function configuration.boolean(key, options) end

--- All strings of a key. Result: a list of strings.
---@param key string
---@param options? { account?: string }
---@return any
function configuration.strings(key, options) end

--- All numbers of a key. Result: a list of numbers.
---@param key string
---@param options? { account?: string }
---@return any
function configuration.numbers(key, options) end

--- All booleans of a key. Result: a list of booleans.
---@param key string
---@param options? { account?: string }
---@return any
function configuration.booleans(key, options) end

--- Whether configurations with different values of the key are targeted. Result: a boolean.
---@param key string
---@param options? { account?: string }
---@return any
function configuration.hasConflict(key, options) end

--- All configurations; the tenant's default has `__IsDefault`. Result: a list of tables.
---@param options? { account?: string }
---@return any
function configuration.fullData(options) end

-- files

--- Reads a file. Result: the bytes; or nil and an error.
---@param path string
---@param options? { group?: string }
---@return any
function files.read(path, options) end

--- Creates or overwrites a file, and sets its owner. Result: true; or nil and an error.
---@param path string
---@param bytes string
---@param options? { group?: string }
---@return any
function files.write(path, bytes, options) end

--- Appends to a file, which is created if it does not exist. Result: true; or nil and an error.
---@param path string
---@param bytes string
---@param options? { group?: string }
---@return any
function files.append(path, bytes, options) end

--- Removes a file. Result: true; or nil and an error.
---@param path string
---@param options? { group?: string }
---@return any
function files.remove(path, options) end

--- Renames a file, which keeps its owner. Result: true; or nil and an error.
---@param path string
---@param to string
---@param options? { group?: string }
---@return any
function files.move(path, to, options) end

--- Transfers a file to an account. Result: true; or nil and an error.
---@param path string
---@param account string
---@param options? { group?: string }
---@return any
function files.protect(path, account, options) end

--- Transfers a file to an account, unless the file already belongs to it in the form that the account's policy requires. Result: true; or nil and an error.
---@param path string
---@param account string
---@param options? { group?: string }
---@return any
function files.verify(path, account, options) end

--- Requests the owner of a file. Result: the owner's `account` and `isManaged`, nil if there is no owner; or nil and an error.
---@param path string
---@param options? { group?: string }
---@return any
function files.info(path, options) end

--- Lists a folder, by default the container, in alphabetical order. Names of folders end in `/`. Result: a list of names; or nil and an error.
---@param folder? string
---@param options? { group?: string }
---@return any
function files.list(folder, options) end

--- Protects bytes for an account, which becomes their owner. Result: the protected bytes; or nil and an error.
---@param bytes string
---@param account string
---@return any
function data.protect(bytes, account) end

--- Restores protected bytes. Result: the bytes; or nil and an error.
---@param bytes string
---@return any
function data.unprotect(bytes) end

--- The owner of protected bytes. Result: the owner's account, or nil.
---@param bytes string
---@return any
function data.info(bytes) end

-- policy

--- Whether data may be saved to a location of an account. Result: a boolean.
---@param location string
---@param account? string
---@return any
function policy.isSaveToAllowed(location, account) end

--- Whether data may be opened from a location of an account. Result: a boolean.
---@param location string
---@param account? string
---@return any
function policy.isOpenFromAllowed(location, account) end

--- `policy.isSaveToAllowed` of all locations. Result: a table of booleans by location.
---@param account? string
---@return any
function policy.getSaveToLocations(account) end

--- `policy.isOpenFromAllowed` of all locations. Result: a table of booleans by location.
---@param account? string
---@return any
function policy.getOpenFromLocations(account) end

--- Whether a URL may be opened. Result: a boolean.
---@param url string
---@return any
function policy.isURLAllowed(url) end

--- Whether a universal link may be opened in its app. Result: a boolean.
---@param url string
---@return any
function policy.isUniversalLinkAllowed(url) end

--- Whether an item may be received. Result: a boolean.
---@param item string|item
---@return any
function policy.canReceive(item) end

--- Whether the document picker may be used in the mode `import`, `open`, `exportToService` or `moveToService`. Result: a boolean.
---@param mode string
---@return any
function policy.isDocumentPickerAllowed(mode) end

--- Whether data may be shared with the app's Safari web extension. Result: a boolean.
---@return any
function policy.isAppSharingAllowed() end

--- Whether data may be printed. Result: a boolean.
---@return any
function policy.isPrintingAllowed() end

--- Whether contacts may be synced. Result: a boolean.
---@return any
function policy.isContactSyncAllowed() end

--- Whether widgets may show data. Result: a boolean.
---@return any
function policy.isWidgetContentSyncAllowed() end

--- Whether Spotlight may index data. Result: a boolean.
---@return any
function policy.isSpotlightIndexingAllowed() end

--- Whether Siri intents may use data. Result: a boolean.
---@return any
function policy.areSiriIntentsAllowed() end

--- Whether App Intents may use data. Result: a boolean.
---@return any
function policy.areAppIntentsAllowed() end

--- Whether the screen may be captured. Result: a boolean.
---@return any
function policy.isScreenCaptureAllowed() end

--- Whether web links must be opened in the managed browser. Result: a boolean.
---@return any
function policy.isManagedBrowserRequired() end

--- Whether the app must encrypt managed files. Result: a boolean.
---@return any
function policy.isFileEncryptionRequired() end

--- What notifications may show. Result: `allow`, `blockOrgData` or `block`.
---@return any
function policy.notificationPolicy() end

-- device

--- Waits, in real time.
---@param milliseconds integer
function device.pause(milliseconds) end

--- Sends a request of the protocol. `proto/sluice.proto` lists the names, such as `open_url`, and their fields. Result: an outcome.
---@param name string
---@param fields? table
---@return any
function device.request(name, fields) end
