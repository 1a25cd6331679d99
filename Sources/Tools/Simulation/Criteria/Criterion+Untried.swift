extension Criterion {
  /// The part of the criterion that no stand-in shows, since it depends on the app's own program; nil: none.
  var untried: String? {
    switch id.prefix(while: { $0 != "-" }) {
    case "SAVE": "the places in the app where it saves"
    case "OPEN": "the places in the app where it opens"
    case "COPY": "the places in the app where it shares, and what it does with a document"
    case "PRINT": "the places in the app where it prints, and the alert that it shows"
    case "LOGIN", "LOGOUT": "the app's own sign-in, and the data that it keeps"
    case "VIEW": "the app's own pages"
    case "PAUSE", "KILL": "the account that the app itself goes on with"
    case "SEND": "the places in the app where it sends"
    case "IMPORT": "the places in the app where it imports"
    case "RECEIVE": "what the app itself does with what it gets"
    case "CA": "the app's own sign-in, and what it tells its user"
    default: nil  // open: any other group of criteria
    }
  }
}
